package io.gpusched.cli.args;

/// A positional argument of a command.
///
/// @param label what stands for it in help, such as `JOB`
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

    /// A command to run; no argument after its first word is an option of gpu-cli.
    public static Operand command(String label, String help) {
        return new Operand(label, help, 0, Integer.MAX_VALUE);
    }

    boolean isCommand() {
        return least == 0 && most == Integer.MAX_VALUE;
    }

    /// The operand in a usage line: `JOB...`, `[TENANT]`.
    String written() {
        String many = most > 1 ? label + "..." : label;
        return least == 0 ? "[" + many + "]" : many;
    }
}
