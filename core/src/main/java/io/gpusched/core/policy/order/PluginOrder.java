package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// An order from a plug-in. A job on which the plug-in fails is last.
public final class PluginOrder implements QueueOrder {
    private final QueueOrder inner;
    private final String name;
    private final @Nullable Duration pointEvery;

    public PluginOrder(QueueOrder inner) {
        this.inner = inner;
        this.name = inner.name();
        this.pointEvery = inner.pointEvery();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable Duration pointEvery() {
        return pointEvery;
    }

    @Override
    public long key(Job job) {
        try {
            return inner.key(job);
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            return Long.MAX_VALUE;
        }
    }
}
