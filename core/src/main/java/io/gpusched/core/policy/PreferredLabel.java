package io.gpusched.core.policy;

import io.gpusched.core.model.Labels;

/// A node label that a scorer prefers. Where only some of many nodes are scored, nodes with the
/// label are among them.
///
///     neuronetes.io/cached-models, llama-70b   →   nodes whose list of cached models has llama-70b
///
/// @param value one item of the label's value, which may be a comma-separated list; empty for any
///        value
public record PreferredLabel(String label, String value) {
    public boolean isGrantedBy(Labels labels) {
        return value.isEmpty() ? !labels.value(label).isEmpty() : labels.lists(label, value);
    }
}
