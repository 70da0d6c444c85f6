package io.gpusched.cli.print;

/// Colours the names of states on a terminal; elsewhere leaves text unchanged.
public enum Paint {
    NONE,
    COLOUR;

    String over(String state) {
        int colour = this == NONE ? 0 : colourOf(state);
        return colour == 0 ? state : "\033[" + colour + "m" + state + "\033[0m";
    }

    private static int colourOf(String state) {
        return switch (state) {
            case "running", "completed", "ready", "healthy" -> 32;
            case "pending", "scheduled", "preempted", "cordoned", "draining", "warning" -> 33;
            case "failed", "lost", "unreachable", "unhealthy", "degraded" -> 31;
            case "cancelled" -> 90;
            default -> 0;
        };
    }
}
