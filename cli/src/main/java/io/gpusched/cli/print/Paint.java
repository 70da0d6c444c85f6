package io.gpusched.cli.print;

/// Colours the words for states on a terminal, and leaves everything alone elsewhere.
public enum Paint {
    NONE,
    COLOUR;

    String over(String word) {
        int colour = this == NONE ? 0 : colourOf(word);
        return colour == 0 ? word : "\033[" + colour + "m" + word + "\033[0m";
    }

    private static int colourOf(String word) {
        return switch (word) {
            case "running", "completed", "ready", "healthy" -> 32;
            case "pending", "scheduled", "preempted", "cordoned", "draining", "warning" -> 33;
            case "failed", "lost", "unreachable", "unhealthy", "degraded" -> 31;
            case "cancelled" -> 90;
            default -> 0;
        };
    }
}
