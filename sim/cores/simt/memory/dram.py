"""The DRAM of a SIMT machine, jitted: when a channel moves sectors of a line.

A line belongs to a channel, together with its neighbours of DRAM_BLOCK_BITS.  What a channel moves
takes DRAM_SERVICE for each sector of the bursts that they are in.  Three things keep it from more,
each only where the machine says so:

rows      A block lies in a row of one of BANKS banks.  A bank keeps open the row that was read
          last; who wants another one occupies the channel for ROW_INTERVAL at least, and waits
          until ROW_CYCLE has gone by since the bank opened its row.
writes    They wait in the channel until WRITE_BATCH sectors are there, and then go out one after
          the other, behind TURNAROUND if the channel has read since its last batch: what a bus
          loses that turns to writing and back.  There is room for two batches: who completes one
          is kept until the one before has gone out.
refresh   In every REFRESH_INTERVAL the channel moves nothing for REFRESH_TIME.  When that begins
          differs from channel to channel.  Its calendar counts only the time between.

    refresh of 4 cycles in 10, the first at 0:   asked at 2, it begins at 4; asked at 5, with 8
                                                 cycles of work before it, at 17

Known simplifications: writes go out row by row, so that they find those rows open that writes
before them have opened, and reads find theirs open again; a refresh closes no row; what has begun
comes as if no refresh came between; a read of an open row comes no earlier, `dram.latency` is that
of all.
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.coalescing import bits_in
from sim.cores.simt.memory.reservations import reserve
from sim.cores.simt.memory.sectored_cache import TOP_BITS, share, spread


@inlined
def block_of(parameters, line):
    """The number of the block that a line lies in."""
    return line >> parameters[at.DRAM_BLOCK_BITS]


@inlined
def channel_of(parameters, line):
    """The channel that a line belongs to."""
    return share(spread(block_of(parameters, line)), parameters[at.CHANNELS])


@inlined
def bank_of(parameters, channel, line):
    """Where the state of a line's bank begins."""
    number = share(spread(block_of(parameters, line)) << index(TOP_BITS), parameters[at.BANKS])
    return parameters[at.FIRST_BANK] + (channel * parameters[at.BANKS] + number) * at.BANK_WORDS


@inlined
def state_of(parameters, channel):
    """Where the state of a channel beside its calendar begins."""
    return parameters[at.FIRST_CHANNEL_STATE] + channel * at.CHANNEL_WORDS


@inlined
def with_neighbours(parameters, sectors, number):
    """All sectors of those parts of a line, of so many sectors, that some are in."""
    together, found = (1 << number) - 1, 0
    for sector in range(parameters[at.SECTORS]):
        if sectors >> sector & 1:
            found |= together << (sector & -number)
    return found


@inlined
def moving_time(parameters, sectors):
    """Ticks in which a channel moves some sectors of a line."""
    moved = with_neighbours(parameters, sectors, parameters[at.DRAM_BURST])
    return bits_in(moved) * parameters[at.DRAM_SERVICE]


@inlined
def worked_until(memory, channel, time):
    """(ticks that a channel has had for work at `time`, those in which it was not refreshed; ticks
    from then until its refresh ends, if it is refreshed)."""
    parameters = memory.parameters
    interval, refresh = parameters[at.REFRESH_INTERVAL], parameters[at.REFRESH_TIME]
    since = time + memory.state[index(state_of(parameters, channel) + at.REFRESHED)]
    number = since // interval
    late = since - number * interval - refresh
    return number * (interval - refresh) + max(late, 0), max(-late, 0)


@inlined
def when_worked(memory, channel, worked):
    """The first tick in which a channel has had so many ticks for work and may go on."""
    parameters = memory.parameters
    refresh = parameters[at.REFRESH_TIME]
    number = worked // (parameters[at.REFRESH_INTERVAL] - refresh)
    since = worked + (number + 1) * refresh
    return since - memory.state[index(state_of(parameters, channel) + at.REFRESHED)]


@inlined
def begin_work(memory, channel, time, service):
    """The tick at which a channel begins what takes it `service`, asked at `time`."""
    parameters = memory.parameters
    calendar = parameters[at.FIRST_CHANNEL] + channel * at.WINDOWS
    if not parameters[at.REFRESH_TIME]:
        return reserve(memory.state, calendar, time, service)
    worked, refreshed = worked_until(memory, channel, time)
    memory.counts[at.DRAM_REFRESH_WAIT] += refreshed
    return when_worked(memory, channel, reserve(memory.state, calendar, worked, service))


@inlined
def end_of_work(memory, channel, begin, service):
    """When what a channel begins at a tick is over, with the refreshes between."""
    if not memory.parameters[at.REFRESH_TIME]:
        return begin + service
    worked, _ = worked_until(memory, channel, begin)
    return when_worked(memory, channel, worked + service)


@inlined
def read_sectors(memory, line, sectors, time):
    """(tick at which the channel of a line begins to read some sectors, asked at `time`; ticks that
    it moves them)."""
    parameters, state = memory.parameters, memory.state
    channel = channel_of(parameters, line)
    service = moving_time(parameters, sectors)
    state[index(state_of(parameters, channel) + at.HAS_READ)] = 1
    asked, occupied, bank, row, opens = time, service, 0, 0, False
    if parameters[at.BANKS]:
        bank, row = bank_of(parameters, channel, line), block_of(parameters, line) + 1
        opens = state[index(bank + at.READ_ROW)] != row
    if opens:
        asked = max(time, state[index(bank + at.BANK_READY)])
        occupied = max(service, parameters[at.ROW_INTERVAL])
        memory.counts[at.DRAM_ROWS] += 1
        memory.counts[at.DRAM_BANK_WAIT] += asked - time
    begin = begin_work(memory, channel, asked, occupied)
    if opens:
        state[index(bank + at.READ_ROW)] = row
        state[index(bank + at.BANK_READY)] = begin + parameters[at.ROW_CYCLE]
    memory.counts[at.DRAM_WAIT] += begin - time
    return begin, service


@inlined
def write_sectors(memory, line, sectors, time):
    """The tick at which the channel of a line takes some sectors to write, asked at `time`."""
    parameters, state = memory.parameters, memory.state
    channel = channel_of(parameters, line)
    service = moving_time(parameters, sectors)
    if parameters[at.BANKS]:
        bank, row = bank_of(parameters, channel, line), block_of(parameters, line) + 1
        if state[index(bank + at.WRITTEN_ROW)] != row:
            state[index(bank + at.WRITTEN_ROW)] = row
            service = max(service, parameters[at.ROW_INTERVAL])
            memory.counts[at.DRAM_ROWS] += 1
    if not parameters[at.WRITE_BATCH]:
        taken = begin_work(memory, channel, time, service)
    else:
        own = state_of(parameters, channel)
        service += state[index(own + at.TIME_WAITING)]
        waiting = state[index(own + at.SECTORS_WAITING)] + bits_in(sectors)
        if waiting < parameters[at.WRITE_BATCH]:
            state[index(own + at.SECTORS_WAITING)] = waiting
            state[index(own + at.TIME_WAITING)] = service
            return time
        if state[index(own + at.HAS_READ)]:
            service += parameters[at.TURNAROUND]
            memory.counts[at.DRAM_TURNS] += 1
        taken = max(time, state[index(own + at.WRITTEN)])
        begin = begin_work(memory, channel, time, service)
        state[index(own + at.SECTORS_WAITING)] = 0
        state[index(own + at.TIME_WAITING)] = 0
        state[index(own + at.HAS_READ)] = 0
        state[index(own + at.WRITTEN)] = end_of_work(memory, channel, begin, service)
    memory.counts[at.DRAM_WAIT] += taken - time
    return taken
