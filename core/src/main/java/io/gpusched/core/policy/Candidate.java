package io.gpusched.core.policy;

import io.gpusched.core.model.Grant;
import io.gpusched.core.nodes.NodeView;

/// A node that could run the task, and what the task would hold there.
public record Candidate(NodeView node, Grant grant) {}
