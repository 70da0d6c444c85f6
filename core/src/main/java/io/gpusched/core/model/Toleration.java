package io.gpusched.core.model;

/// Lets a task onto nodes with a matching taint. An empty key matches every taint, an empty effect
/// every effect; without `exists` the value must be the same too.
public record Toleration(String key, boolean exists, String value, String effect) {
    public boolean covers(Taint taint) {
        return (key.isEmpty() || key.equals(taint.key()))
                && (effect.isEmpty() || effect.equals(taint.effect()))
                && (exists || value.equals(taint.value()));
    }
}
