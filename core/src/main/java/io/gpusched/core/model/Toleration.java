package io.gpusched.core.model;

/// Allows a task on nodes with a matching taint. An empty key matches every taint, an empty effect
/// matches every effect; without `exists` the value must be equal too.
public record Toleration(String key, boolean exists, String value, String effect) {
    public boolean covers(Taint taint) {
        return (key.isEmpty() || key.equals(taint.key()))
                && (effect.isEmpty() || effect.equals(taint.effect()))
                && (exists || value.equals(taint.value()));
    }
}
