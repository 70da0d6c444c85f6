package io.gpusched.operator.webhook;

import java.util.List;

/// A cluster that has all classes of priority if it has any.
record FixedView(List<String> gpuTypes, List<String> jobTypes, boolean hasClasses)
        implements ScoringView {
    @Override
    public boolean hasPriorityClass(String name) {
        return hasClasses;
    }
}
