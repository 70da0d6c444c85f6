package io.gpusched.cli.args;

/// A word without a name, known by its place.
public record Operand(String label, String help, int least, int most) {

    public static Operand one(String label, String help) {
        return new Operand(label, help, 1, 1);
    }

    public static Operand atMostOne(String label, String help) {
        return new Operand(label, help, 0, 1);
    }

    public static Operand several(String label, String help) {
        return new Operand(label, help, 1, Integer.MAX_VALUE);
    }

    /// A command to run: from its first word on, nothing is an option of ours.
    public static Operand command(String label, String help) {
        return new Operand(label, help, 0, Integer.MAX_VALUE);
    }

    boolean isCommand() {
        return least == 0 && most == Integer.MAX_VALUE;
    }

    /// How the operand is written in a line of usage.
    String written() {
        String many = most > 1 ? label + "..." : label;
        return least == 0 ? "[" + many + "]" : many;
    }
}
