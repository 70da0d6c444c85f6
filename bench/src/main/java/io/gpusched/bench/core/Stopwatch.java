package io.gpusched.bench.core;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// How long something took.
///
/// @param onProcessor seconds that this thread spent on a processor
/// @param onTheClock seconds that passed
record Stopwatch(double onProcessor, double onTheClock) {
    static Stopwatch seconds(Runnable work) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long clock = System.nanoTime();
        long processor = threads.getCurrentThreadCpuTime();
        work.run();
        return new Stopwatch(
                (threads.getCurrentThreadCpuTime() - processor) / 1e9,
                (System.nanoTime() - clock) / 1e9);
    }
}
