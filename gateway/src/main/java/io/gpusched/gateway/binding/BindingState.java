package io.gpusched.gateway.binding;

/// What is known of one binding now.
///
/// @param depth of the last good reading; 0 before the first
/// @param failures tries that failed since the gateway started
/// @param inARow of those, the latest ones without a good reading between them
/// @param problem why the binding is degraded; empty while it works
record BindingState(long depth, long failures, int inARow, String problem) {
    static final BindingState NEW = new BindingState(0, 0, 0, "not read yet");

    boolean isDegraded() {
        return !problem.isEmpty();
    }

    BindingState read(long now) {
        return new BindingState(now, failures, 0, "");
    }

    BindingState failed(String why) {
        return new BindingState(depth, failures + 1, Math.addExact(inARow, 1), why);
    }
}
