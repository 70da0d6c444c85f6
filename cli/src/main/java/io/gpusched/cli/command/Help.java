package io.gpusched.cli.command;

import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Nearest;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;
import io.gpusched.cli.words.Usage;

import java.util.List;

/// The same as `--help`, for those who type it as a word.
public final class Help implements Action {
    private static final String PROGRAM = "gpu-cli";

    @Override
    public Syntax syntax() {
        return Syntax.of("help", "Show help for gpu-cli or for one command.")
                .taking(Operand.atMostOne("COMMAND", "A command."))
                .examples("Example:", "  gpu-cli help submit");
    }

    @Override
    public int run(Session session, Typed typed) {
        String word = typed.operand(0);
        (word.isEmpty() ? all() : of(named(word))).forEach(session.printer().raw()::println);
        return 0;
    }

    /// Help for one command.
    public static List<String> of(Action action) {
        return Usage.of(PROGRAM, action.syntax(), GlobalWords.ALL);
    }

    /// Help for the whole program.
    public static List<String> all() {
        return Usage.of(
                PROGRAM,
                "Submit, watch and manage jobs of a gpu-scheduler.",
                Catalogue.all().stream().map(Action::syntax).toList(),
                GlobalWords.ALL);
    }

    /// The command of that name; for any other word, what may have been meant.
    public static Action named(String word) {
        Action action = Catalogue.named(word);
        if (action == null) {
            throw new Misuse("unknown command " + word + meant(word));
        }
        return action;
    }

    /// Words of other programs, for what has another name here; else what is nearest in letters.
    private static String meant(String word) {
        return switch (word) {
            case "watch", "top" -> "; to watch jobs: gpu-cli list --watch";
            case "jobs", "ps" -> "; did you mean list?";
            case "run" -> "; did you mean submit?";
            case "delete", "kill", "stop" -> "; did you mean cancel?";
            case "srun" ->
                    "; to run a command and wait for it: gpu-cli submit --wait -- COMMAND; its"
                            + " output: gpu-cli logs JOB";
            case "salloc" ->
                    "; there are no interactive allocations; submit a job: gpu-cli submit run.sh";
            case "sacct" ->
                    "; to list finished jobs, too: gpu-cli list --all -o wide; one job: gpu-cli get"
                            + " JOB";
            case "scontrol" -> "; did you mean get, hold, release, priority, cordon or drain?";
            case "describe" -> "; did you mean get?";
            default -> Nearest.suggestion(word, Catalogue.NAMES);
        };
    }
}
