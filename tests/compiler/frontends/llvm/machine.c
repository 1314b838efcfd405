// A stack machine: a switch in a loop, and a table of names.
#include <stdint.h>

enum { PUSH, ADD, SUB, MUL, DIV, DUP, SWAP, JUMP_IF, NEGATE, HALT = 200 };

int64_t run(const int32_t *code, int32_t n, int64_t *steps) {
    int64_t stack[32], t;
    int top = 0, at = 0;
    for (*steps = 0; at < n && *steps < 10000; ++*steps) {
        switch (code[at++]) {
        case PUSH: stack[top++] = code[at++]; break;
        case ADD: top--; stack[top - 1] += stack[top]; break;
        case SUB: top--; stack[top - 1] -= stack[top]; break;
        case MUL: top--; stack[top - 1] *= stack[top]; break;
        case DIV: top--; stack[top - 1] = stack[top] ? stack[top - 1] / stack[top] : 0; break;
        case DUP: stack[top] = stack[top - 1]; top++; break;
        case SWAP: t = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = t; break;
        case JUMP_IF: if (stack[--top]) at = code[at]; else at++; break;
        case NEGATE: stack[top - 1] = -stack[top - 1]; break;
        case HALT: return stack[top - 1];
        default: return -1;
        }
    }
    return -2;
}

int days(int month, int leap) {
    switch (month) {
    case 2: return 28 + leap;
    case 4: case 6: case 9: case 11: return 30;
    default: return month < 1 || month > 12 ? 0 : 31;
    }
}

const char *name(int64_t key) {
    switch (key) {
    case -5000000000: return "far below";
    case 0: return "nothing";
    case 7: return "seven";
    case 5000000000: return "far above";
    }
    return "?";
}

int letter(int64_t key, int at) { return name(key)[at]; }
