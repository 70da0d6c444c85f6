package io.gpusched.cli;

import io.gpusched.cli.command.Action;
import io.gpusched.cli.command.GlobalWords;
import io.gpusched.cli.command.Help;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.rest.Refused;
import io.gpusched.cli.rest.Unreachable;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Reading;
import io.gpusched.cli.words.Typed;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/// The command line: reads the words, carries out one command, tells what went wrong in one place,
/// and exits with 0 (done), 1 (refused or failed) or 2 (wrong usage).
public final class Main {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(Surroundings.ofProcess(), args));
    }

    /// Runs one command line in `world`, and returns the exit code.
    public static int run(Surroundings world, String... args) {
        int code = told(world, args);
        world.out().flush();
        world.err().flush();
        return code;
    }

    private static int told(Surroundings world, String... args) {
        PrintStream err = world.err();
        var reading = new Reading(List.of(args), GlobalWords.ALL);
        try {
            return understood(world, reading);
        } catch (Misuse wrong) {
            err.println("gpu-cli: " + wrong.getMessage());
            err.println("Try 'gpu-cli --help', or 'gpu-cli COMMAND --help'.");
            return WRONG_USAGE;
        } catch (Refused no) {
            err.println(Cells.tame("gpu-cli: " + no.sentence()));
            no.details().forEach(line -> err.println(Cells.tame(line)));
            return FAILED;
        } catch (Unreachable away) {
            err.println(Cells.tame("gpu-cli: " + away.getMessage()));
            return FAILED;
        } catch (UncheckedIOException nobodyReads) {
            return FAILED;
        }
    }

    private static int understood(Surroundings world, Reading reading) {
        String word = reading.command();
        if (word.isEmpty() && !reading.typed().of(GlobalWords.VERSION)) {
            boolean asked = reading.typed().of(GlobalWords.HELP);
            Help.all().forEach((asked ? world.out() : world.err())::println);
            return asked ? 0 : WRONG_USAGE;
        }
        Action action = Help.named(word.isEmpty() ? "version" : word);
        Typed typed = reading.rest(action.syntax());
        if (typed.of(GlobalWords.HELP)) {
            Help.of(action).forEach(world.out()::println);
            return 0;
        }
        if (typed.of(GlobalWords.VERSION)) {
            action = Help.named("version");
        }
        Reading.check(action.syntax(), typed);
        return action.run(new Entrance(world, typed).session(), typed);
    }
}
