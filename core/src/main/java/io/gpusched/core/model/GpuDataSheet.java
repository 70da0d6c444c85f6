package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

/// Power draw, speed and rental price of a family of GPUs, from data sheets and price lists.
///
/// The limit and the speed are from the makers' data sheets, of the fastest variant (SXM where
/// there is one); a board with several GPUs (K80, M60, A16) counts as that many GPUs. Three limits
/// are not from a sheet: A10G is made for one cloud, which publishes its speed only, H20 has no
/// public one, and GH200 shares its limit with a processor and can be set from 450 to 1000 W. No
/// sheet states the idle power: all of these are estimates, rounded from readings of the driver.
/// Prices are rounded on-demand list prices of large clouds (K80 to T4, A10G, A100, L4, L40S and
/// H100, which they rent out by the GPU); all others are estimates from marketplaces. Running jobs
/// needs none of these figures.
///
/// @param idleWatts of a card that is on and idle: an estimate
/// @param limitWatts the card's power limit, as its maker states it
/// @param teraflops of 16-bit matrix arithmetic without sparsity, accumulated in 16 bits on
///        consumer cards; of plain arithmetic where the family has no matrix units
/// @param centsPerHour of renting one GPU, in about 2024
public record GpuDataSheet(
        String family, int idleWatts, int limitWatts, double teraflops, int centsPerHour) {
    /// The fraction of its power limit that a busy card draws.
    public static final double BUSY = 0.8;

    private static final GpuDataSheet[] KNOWN = {
        new GpuDataSheet("K80", 25, 150, 4.4, 45),
        new GpuDataSheet("M60", 15, 150, 4.8, 75),
        new GpuDataSheet("P4", 7, 75, 5.5, 60),
        new GpuDataSheet("P40", 12, 250, 11.8, 90),
        new GpuDataSheet("P100", 30, 300, 21.2, 146),
        new GpuDataSheet("V100", 40, 300, 125, 248),
        new GpuDataSheet("T4", 10, 70, 65, 35),
        new GpuDataSheet("RTX6000", 20, 295, 131, 125),
        new GpuDataSheet("RTX8000", 20, 295, 131, 150),
        new GpuDataSheet("RTX2080TI", 15, 260, 108, 40),
        new GpuDataSheet("RTX3090", 25, 350, 142, 45),
        new GpuDataSheet("RTX4090", 20, 450, 330, 70),
        new GpuDataSheet("RTX5090", 25, 575, 419, 90),
        new GpuDataSheet("A2", 6, 60, 18, 30),
        new GpuDataSheet("A10", 16, 150, 125, 90),
        new GpuDataSheet("A10G", 20, 300, 70, 101),
        new GpuDataSheet("A16", 8, 62, 18, 50),
        new GpuDataSheet("A30", 28, 165, 165, 110),
        new GpuDataSheet("A40", 30, 300, 150, 128),
        new GpuDataSheet("A100", 55, 400, 312, 367),
        new GpuDataSheet("A800", 55, 400, 312, 367),
        new GpuDataSheet("L4", 13, 72, 121, 71),
        new GpuDataSheet("L20", 30, 275, 119, 120),
        new GpuDataSheet("L40", 33, 300, 181, 150),
        new GpuDataSheet("L40S", 33, 350, 362, 186),
        new GpuDataSheet("H20", 75, 400, 148, 250),
        new GpuDataSheet("H100", 75, 700, 989, 690),
        new GpuDataSheet("H200", 80, 700, 989, 790),
        new GpuDataSheet("H800", 75, 700, 989, 690),
        new GpuDataSheet("GH200", 85, 700, 989, 650),
        new GpuDataSheet("B100", 100, 700, 1750, 900),
        new GpuDataSheet("B200", 140, 1000, 2250, 1400),
        new GpuDataSheet("B300", 150, 1400, 2250, 1800),
        new GpuDataSheet("GB200", 150, 1200, 2500, 1700),
    };

    /// Typical figures, for a family without a sheet here.
    private static final GpuDataSheet USUAL = new GpuDataSheet("", 40, 300, 150, 200);

    /// The sheet of the family; null when there is none here.
    public static @Nullable GpuDataSheet known(String family) {
        for (GpuDataSheet sheet : KNOWN) {
            if (sheet.family.equals(family)) {
                return sheet;
            }
        }
        return null;
    }

    /// The sheet of the family; typical figures for an unknown one.
    public static GpuDataSheet of(String family) {
        GpuDataSheet sheet = known(family);
        return sheet == null
                ? new GpuDataSheet(
                        family,
                        USUAL.idleWatts,
                        USUAL.limitWatts,
                        USUAL.teraflops,
                        USUAL.centsPerHour)
                : sheet;
    }

    /// The power that a card of this family draws.
    ///
    /// A busy card draws [#BUSY] of its limit; between idle and busy the power grows with the load.
    /// A warm card leaks: every degree over 60 °C adds 0.3 %, with 60, 75 and 85 °C for cool, warm
    /// and hot. A card never draws more than its limit.
    ///
    /// @param load from 0 to 1
    public double watts(double load, Heat heat) {
        double plain = idleWatts + load * (BUSY * limitWatts - idleWatts);
        double leak =
                switch (heat) {
                    case COOL -> 1;
                    case WARM -> 1.045;
                    case HOT -> 1.075;
                };
        return Math.min(limitWatts, plain * leak);
    }

    /// The energy of a trillion operations on a busy card of this family, in joules.
    public double joulesPerTeraflop() {
        return watts(1, Heat.COOL) / teraflops;
    }
}
