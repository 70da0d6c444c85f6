package io.gpusched.rl.cluster;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.state.ClusterState;
import io.gpusched.rl.Observed;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The first waiting jobs, as the encoder of production shows them.
final class HeadRows implements Observed {
    private final HeadEncoder encoder = new HeadEncoder();
    private final List<Job> heads = new ArrayList<>();
    private final Set<Long> refused = new LinkedHashSet<>();
    private final float[] numbers;
    private final int window;

    HeadRows(int window) {
        this.window = window;
        this.numbers = new float[window * HeadEncoder.FEATURES];
    }

    /// Shows these jobs, or the first of them.
    void show(ClusterState state, Iterable<Job> waiting, Instant now) {
        heads.clear();
        for (Job job : waiting) {
            if (heads.size() == window) {
                break;
            }
            heads.add(job);
        }
        encoder.encode(state, heads, now, numbers);
        Arrays.fill(numbers, heads.size() * HeadEncoder.FEATURES, numbers.length, 0);
    }

    Job head(int place) {
        return heads.get(place);
    }

    /// The core found no place for the job; it is not feasible until something happens.
    void refuse(Job job) {
        refused.add(job.id().number());
    }

    /// Something happened: every job may be tried again.
    void forgetRefusals() {
        refused.clear();
    }

    boolean anyFeasible() {
        for (int place = 0; place < heads.size(); place++) {
            if (isFeasible(place)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public float[] numbers() {
        return numbers;
    }

    @Override
    public int window() {
        return window;
    }

    @Override
    public int perJob() {
        return HeadEncoder.FEATURES;
    }

    @Override
    public int jobs() {
        return heads.size();
    }

    @Override
    public boolean isFeasible(int place) {
        return place >= 0
                && place < heads.size()
                && numbers[place * HeadEncoder.FEATURES + HeadEncoder.FITS] == 1
                && !refused.contains(heads.get(place).id().number());
    }
}
