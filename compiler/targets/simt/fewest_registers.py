"""An order of a block's rows in which few registers are alive at once.

    %a = ld [%p]                       %a = ld [%p]
    %b = ld [%p+4]                     %s = add %s, %a
    %c = ld [%p+8]             ->      %b = ld [%p+4]
    %s = add %s, %a                    %s = add %s, %b
    %s = add %s, %b                    %c = ld [%p+8]
    %s = add %s, %c                    %s = add %s, %c

From the end to the front, always the row before which the fewest are alive: one that writes what
is alive ends that, one that reads what is not begins it.  So a value is made just before its first
reader, and readers of one value come together.  (A list schedule from below, as in Goodman, Hsu,
*Code scheduling and register allocation in large basic blocks*, 1988, and LLVM's for registers.)
"""

from __future__ import annotations

import heapq

from compiler.targets.simt.block_rows import BlockRows


def fewest_registers(rows: BlockRows) -> list[int]:
    """The numbers of the rows in such an order; equals stay in the order in which they are."""
    count = len(rows.code)
    alive = list(rows.leaving)
    readers: list[list[int]] = [[] for _ in rows.sizes]
    for number, values in enumerate(rows.reads):
        for value in values:
            readers[value].append(number)
    missing = [len(after) for after in rows.after]
    done = [False] * count

    def change(number: int) -> int:
        begun = sum(rows.sizes[value] for value in rows.reads[number] if not alive[value])
        return begun - sum(rows.sizes[value] for value in rows.writes[number] if alive[value])

    ready = [(change(number), -number) for number in range(count) if not missing[number]]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        known, number = heapq.heappop(ready)
        number = -number
        if done[number] or known != change(number):
            continue  # what has changed stands in the heap as it is now, too
        done[number] = True
        order.append(number)
        for value in rows.writes[number]:
            alive[value] = False
        for value in rows.reads[number]:
            if not alive[value]:
                alive[value] = True
                for other in readers[value]:
                    if not missing[other] and not done[other]:
                        heapq.heappush(ready, (change(other), -other))
        for other in rows.before[number]:
            missing[other] -= 1
            if not missing[other]:
                heapq.heappush(ready, (change(other), -other))
    return order[::-1]
