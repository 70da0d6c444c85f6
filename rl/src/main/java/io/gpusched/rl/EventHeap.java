package io.gpusched.rl;

import java.util.Arrays;

/// The future arrivals and ends of jobs, by time; at equal times arrivals come first.
///
/// Several jobs may arrive at the very same time, and which of them comes first changes the whole
/// episode. In the published benchmark that follows from the shape of a binary heap, so this is the
/// same heap: the last leaf sinks from the top along the smaller children to the bottom and rises
/// from there. Cost is logarithmic in the number of events.
final class EventHeap {
    private double[] times = new double[64];
    private int[] jobs = new int[64];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    double nextTime() {
        return times[0];
    }

    /// The job that arrives next, or the one's complement of the job that ends next.
    int next() {
        return jobs[0];
    }

    void arrives(double at, int job) {
        push(at, job);
    }

    void ends(double at, int job) {
        push(at, ~job);
    }

    private void push(double time, int job) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            jobs = Arrays.copyOf(jobs, 2 * size);
        }
        rise(0, size++, time, job);
    }

    void pop() {
        size--;
        double time = times[size];
        int job = jobs[size];
        if (size == 0) {
            return;
        }
        int hole = 0;
        int child = 1;
        while (child < size) {
            int right = child + 1;
            if (right < size && !isBefore(times[child], jobs[child], right)) {
                child = right;
            }
            times[hole] = times[child];
            jobs[hole] = jobs[child];
            hole = child;
            child = 2 * hole + 1;
        }
        rise(0, hole, time, job);
    }

    private void rise(int top, int from, double time, int job) {
        int at = from;
        while (at > top) {
            int parent = (at - 1) / 2;
            if (!isBefore(time, job, parent)) {
                break;
            }
            times[at] = times[parent];
            jobs[at] = jobs[parent];
            at = parent;
        }
        times[at] = time;
        jobs[at] = job;
    }

    private boolean isBefore(double time, int job, int other) {
        return time < times[other] || (time == times[other] && job >= 0 && jobs[other] < 0);
    }
}
