/* SPDX-License-Identifier: MIT */
/* test_exponential.c -- powers of e and 10, rounded to the nearest double */

#include <float.h>
#include <math.h>

#include "../noise.h"
#include "../tap.h"
#include "base/elementary.h"

/*
 * From Python's decimal, with 60 digits: float(Decimal(x).exp()), and
 * float((Decimal(y) * Decimal(10).ln()).exp()).
 */
static const struct {
    double x;
    double e;
    double y;
    double ten;
} wanted[] = {
    {-0x1.6200000000000p+9, 0x1.7c8ab2288c9abp-1022, -0x1.3290625000000p+8,
     0x1.887813d8752dfp-1019},
    {-0x1.2c00000000000p+8, 0x1.245639c3a49f7p-433, -0x1.03ccccc000000p+7,
     0x1.656fa786f29ffp-432},
    {-0x1.0000000000000p+0, 0x1.78b56362cef38p-2, -0x1.bb64400000000p-2,
     0x1.79d559aa93b79p-2},
    {0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1, 0x1.bb64400000000p-2,
     0x1.5ae77ad6044dfp+1},
    {0x1.0000000000000p+1, 0x1.d8e64b8d4ddaep+2, 0x1.bb64600000000p-1,
     0x1.d616cd0020915p+2},
    {0x1.4000000000000p+3, 0x1.5829dcf950560p+14, 0x1.151eb80000000p+2,
     0x1.4e0e77f3563e7p+14},
    {0x1.9000000000000p+6, 0x1.3494a9b171bf5p+144, 0x1.5a66668000000p+5,
     0x1.ca1707cdf1591p+143},
    {0x1.6280000000000p+9, 0x1.d422d2be5dc9bp+1022, 0x1.32ff3b6000000p+8,
     0x1.c48ed0bf4ced1p+1019},
    {0x1.0000000000000p-1, 0x1.a61298e1e069cp+0, 0x1.bb64800000000p-3,
     0x1.a571c1a9c3e85p+0},
    {0x1.8000000000000p+0, 0x1.1ed3fe64fc541p+2, 0x1.4c8b400000000p-1,
     0x1.1d8c69cedeb85p+2},
    {-0x1.4000000000000p+1, 0x1.50385c094f425p-4, -0x1.151ec00000000p+0,
     0x1.52bc0b2f5c197p-4},
    {0x1.9200000000000p+6, 0x1.fcc37a76f9e76p+144, 0x1.5c21cb0000000p+5,
     0x1.7911b745a23a5p+144},
    {0x1.2e6b438000000p+7, 0x1.1be42caac4b7bp+218, 0x1.05e5150000000p+6,
     0x1.69c7866339173p+217},
    {-0x1.961f2ca000000p+7, 0x1.081f6d7d3d0f1p-293, -0x1.5fb392c000000p+6,
     0x1.e3cc535ac52cap-293},
    {0x1.2899387000000p+8, 0x1.de1d217d66908p+427, 0x1.00dab48000000p+7,
     0x1.8b055f4ea19eep+426},
    {-0x1.9d1c018000000p+8, 0x1.019f9ce8187bfp-596, -0x1.65c0b38000000p+7,
     0x1.b948a21ae0cf0p-595},
    {-0x1.6ba6867000000p+8, 0x1.494be3a1ba83bp-525, -0x1.3aebdbe000000p+7,
     0x1.e6bd1619feeb3p-524},
    {-0x1.3f38bf8000000p+8, 0x1.60414e2119005p-461, -0x1.14722b0000000p+7,
     0x1.c817e00ca6bf6p-460},
    {0x1.d9dc9f8000000p+7, 0x1.c3a4bfad20a2bp+341, 0x1.9a5d448000000p+6,
     0x1.bdc854d6352b8p+340},
    {-0x1.8937dc6000000p+8, 0x1.a19e788403215p-568, -0x1.5486e74000000p+7,
     0x1.5114c61482f25p-566},
    {-0x1.2131468000000p+6, 0x1.9eae7ad4c75bfp-105, -0x1.f4e1a20000000p+4,
     0x1.013390e6f89f4p-104},
    {-0x1.b335794000000p+8, 0x1.176c31d5d57bbp-628, -0x1.78e4118000000p+7,
     0x1.ff36547b24918p-627},
    {-0x1.4ffae53000000p+8, 0x1.37880f11d626fp-485, -0x1.22f56f6000000p+7,
     0x1.a806a9e87bcb5p-484},
    {0x1.781b3ad000000p+8, 0x1.85da9124390c1p+542, 0x1.45b546e000000p+7,
     0x1.fc465ff66045fp+540},
    {0x1.586aa4d000000p+8, 0x1.d9c8e9245b493p+496, 0x1.2a43c70000000p+7,
     0x1.5371fbec362a1p+495},
    {-0x1.70efa39000000p+8, 0x1.aae4cd3133ea7p-533, -0x1.3f7fa7c000000p+7,
     0x1.408271062bb01p-531},
};

int
main(void)
{
    size_t wrong = 0;

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ok(exponential_e(wanted[i].x) == wanted[i].e, "e^%.17g", wanted[i].x);
        ok(exponential_10(wanted[i].y) == wanted[i].ten, "10^%.17g",
           wanted[i].y);
    }
    for (int i = 0; i < rounds_of(100000); i++) {
        double x = ldexp((double)(int64_t)noise(), -63) * 700;
        wrong += fabs(exponential_e(x) / exp(x) - 1) > 2 * DBL_EPSILON;
        wrong += fabs(exponential_10(x / 2.5) / pow(10, x / 2.5) - 1) >
                 2 * DBL_EPSILON;
    }
    ok(wrong == 0, "as the C library's, but for the last bit (%zu wrong)",
       wrong);
    ok(isinf(exponential_e(710)) && isinf(exponential_10(309)) &&
           exponential_e(0) == 1 && exponential_10(0) == 1 &&
           exponential_e(-800) == 0 && exponential_10(-1024) == 0,
       "infinity, 1 and 0");
    /* 1.0905077326652576592, 1.4142135623730950488, 1 / 1.09... */
    ok(exponential_2(0.125, false) == 0x1.172b83c7d517ap+0 &&
           exponential_2(0.125, true) == 0x1.172b83c7d517bp+0 &&
           exponential_2(0.5, false) == 0x1.6a09e667f3bccp+0 &&
           exponential_2(0.5, true) == 0x1.6a09e667f3bcdp+0 &&
           exponential_2(-1021.5, true) == 0x1.6a09e667f3bcdp-1022,
       "2^x is between two doubles");
    ok(exponential_2(-1022, false) == DBL_MIN && exponential_2(3, true) == 8 &&
           exponential_2(1024, false) == DBL_MAX &&
           isinf(exponential_2(1024, true)) && exponential_2(-2048, true) == 0,
       "2^x of whole numbers");
    return done_testing();
}
