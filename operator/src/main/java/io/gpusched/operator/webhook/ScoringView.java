package io.gpusched.operator.webhook;

import java.util.List;

/// What the webhook must know of the cluster. It is asked while a pod waits, so it answers from
/// memory.
public interface ScoringView {
    /// The values of the label `gpu.nvidia.com/class` of all nodes, each once, in order; empty if
    /// no node has it.
    List<String> gpuTypes();

    /// The kinds of work of the pods that run, each once.
    List<String> jobTypes();

    /// Whether the cluster has a PriorityClass of this name.
    boolean hasPriorityClass(String name);
}
