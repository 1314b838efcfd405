// Products of matrices, of doubles and of floats, and a transposition in place.
#include <stdint.h>

void multiply(const double *restrict a, const double *restrict b, double *restrict c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

float trace(float m[4][4]) {
    float product[4][4] = {{0}}, sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            float t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) product[i][j] += m[i][k] * m[k][j];
    for (int i = 0; i < 4; i++) sum += product[i][i];
    return sum;
}
