package io.gpusched.cli.args;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

final class ArgumentParserTest {
    private static final Option<String> URL = Option.text("--url", "URL", "Where.");
    private static final Option<String> FORM = Option.text("-o --output", "FORM", "How.");
    private static final Option<Long> GPUS = Option.whole("-g --gpus", "N", "GPUs.");
    private static final Option<Boolean> ALL = Option.flag("-A --all", "All.");
    private static final Option<Boolean> WATCH = Option.flag("-w --watch", "Watch.");
    private static final Option<Map<String, String>> ENV = Option.pairs("-e --env", "Variable.");
    private static final Option<List<String>> MODEL = Option.texts("--model", "M", "Model.");
    private static final Option<String> NAME = Option.text("--name", "NAME", "Name.").required();
    private static final Syntax SYNTAX =
            Syntax.of("run", "Run.")
                    .with(GPUS, ALL, WATCH, ENV, MODEL)
                    .taking(Operand.several("WORD", "Words."));

    @Test
    void valuesFollowTheirOptionInEveryCustomaryWay() {
        for (var way : List.of("--gpus 4", "--gpus=4", "-g 4", "-g4", "-g=4")) {
            assertThat(read(("run " + way).split(" ")).of(GPUS)).as(way).isEqualTo(4);
        }
    }

    @Test
    void globalOptionsStandBeforeOrAfterTheCommand() {
        ParsedArguments before = read("--url", "x", "run", "-ojson");
        ParsedArguments after = read("run", "-o", "json", "--url=x");

        assertThat(before.of(URL)).isEqualTo(after.of(URL)).isEqualTo("x");
        assertThat(before.of(FORM)).isEqualTo(after.of(FORM)).isEqualTo("json");
    }

    @Test
    void flagsMayShareADash() {
        ParsedArguments parsedArguments = read("run", "-Awg2");

        assertThat(parsedArguments.of(ALL)).isTrue();
        assertThat(parsedArguments.of(WATCH)).isTrue();
        assertThat(parsedArguments.of(GPUS)).isEqualTo(2);
    }

    @Test
    void anOptionThatIsNotGivenIsUnset() {
        ParsedArguments parsedArguments = read("run");

        assertThat(parsedArguments.has(GPUS)).isFalse();
        assertThat(parsedArguments.or(GPUS, 9L)).isEqualTo(9);
        assertThat(parsedArguments.of(ENV)).isEmpty();
        assertThat(parsedArguments.operand(0)).isEmpty();
    }

    @Test
    void collectorsCollectAndOthersTakeTheLastWord() {
        ParsedArguments parsedArguments =
                read(
                        "run",
                        "-e",
                        "A=1",
                        "--env=B=x=y",
                        "--model",
                        "a",
                        "--model",
                        "b",
                        "-g1",
                        "-g2");

        assertThat(parsedArguments.of(ENV))
                .containsExactlyInAnyOrderEntriesOf(Map.of("A", "1", "B", "x=y"));
        assertThat(parsedArguments.of(MODEL)).containsExactly("a", "b");
        assertThat(parsedArguments.of(GPUS)).isEqualTo(2);
    }

    @Test
    void afterTwoDashesEverythingIsAnOperand() {
        ParsedArguments parsedArguments =
                read("run", "first", "-g", "1", "--", "python", "--gpus", "--", "-x");

        assertThat(parsedArguments.operands())
                .containsExactly("first", "python", "--gpus", "--", "-x");
        assertThat(parsedArguments.of(GPUS)).isEqualTo(1);
    }

    @Test
    void fromItsFirstWordOnEverythingBelongsToACommand() {
        Syntax taking =
                Syntax.of("run", "Run.").with(GPUS, ENV).taking(Operand.command("WORD", "Words."));

        ParsedArguments parsedArguments =
                checked(taking, "run", "-g", "1", "ls", "-e", "--gpus", "2");
        assertThat(parsedArguments.beforeDashes()).containsExactly("ls", "-e", "--gpus", "2");
        assertThat(parsedArguments.of(GPUS)).isEqualTo(1);

        assertThat(checked(taking, "run", "ls", "a", "--", "b").operands())
                .containsExactly("ls", "a", "--", "b");

        ParsedArguments apart = checked(taking, "run", "ls", "--", "--gpus", "2");
        assertThat(apart.operands()).containsExactly("ls", "--gpus", "2");
        assertThat(apart.beforeDashes()).containsExactly("ls");

        assertThatThrownBy(() -> checked(taking, "run", "--long", "ls"))
                .hasMessage("unknown option --long");
    }

    @Test
    void aNegativeNumberAndALoneDashAreWords() {
        assertThat(read("run", "-5", "-", "--gpus", "-3").operands()).containsExactly("-5", "-");
        assertThat(read("run", "--gpus", "-3").of(GPUS)).isEqualTo(-3);
    }

    @Test
    void slipsOfTheFingerAreNoticed() {
        assertMisuse("unknown option --gpsu; did you mean --gpus?", "run", "--gpsu", "4");
        assertMisuse("unknown option --zebra", "run", "--zebra");
        assertMisuse("unknown option -x", "run", "-Ax");
        assertMisuse("option --gpus needs a value: --gpus N", "run", "--gpus");
        assertMisuse("option --gpus needs a value: --gpus N", "run", "--gpus", "--all");
        assertMisuse("option --gpus: expected a whole number, found '1.5'", "run", "-g1.5");
        assertMisuse("option --all takes no value", "run", "--all=yes");
        assertMisuse("option --env: expected KEY=VALUE, found 'X'", "run", "-e", "X");
    }

    @Test
    void optionsOfSlurmSayWhatToWriteInstead() {
        Syntax submit =
                Syntax.of("submit", "Submit.")
                        .with(
                                NAME,
                                Option.span("--max-runtime", "TIME", "Limit."),
                                Option.memory("--memory", "SIZE", "Memory."));

        assertThatThrownBy(() -> checked(submit, "submit", "--time", "10"))
                .hasMessage("unknown option --time; write --max-runtime instead");
        assertThatThrownBy(() -> checked(submit, "submit", "-t", "10"))
                .hasMessage("unknown option -t; write --max-runtime instead");
        assertThatThrownBy(() -> checked(submit, "submit", "--mem=4G"))
                .hasMessage("unknown option --mem; write --memory instead");
        assertThatThrownBy(() -> checked(submit, "submit", "--array=1-8"))
                .hasMessageContaining("submit one job per element");
        assertThatThrownBy(() -> checked(submit, "submit", "--dependency=afterok:7"))
                .hasMessageContaining("gpu-cli wait job-7 && gpu-cli submit");
    }

    @Test
    void tooFewAndTooManyArgumentsAreRefused() {
        Syntax two =
                Syntax.of("set", "Set.")
                        .taking(Operand.one("JOB", "Job."), Operand.one("N", "Number."));

        assertThatThrownBy(() -> checked(two, "set")).hasMessage("missing JOB");
        assertThatThrownBy(() -> checked(two, "set", "a")).hasMessage("missing N");
        assertThatThrownBy(() -> checked(two, "set", "a", "b", "c"))
                .hasMessage("unexpected argument 'c'");
        assertThat(checked(two, "set", "a", "b").operands()).containsExactly("a", "b");
    }

    @Test
    void aRequiredOptionIsRequired() {
        Syntax named = Syntax.of("make", "Make.").with(NAME);

        assertThatThrownBy(() -> checked(named, "make")).hasMessage("missing option --name NAME");
        assertThat(checked(named, "make", "--name", "x").of(NAME)).isEqualTo("x");
    }

    private static ParsedArguments read(String... words) {
        var argumentParser = new ArgumentParser(List.of(words), List.of(URL, FORM));
        assertThat(argumentParser.command()).isEqualTo("run");
        return argumentParser.rest(SYNTAX);
    }

    private static ParsedArguments checked(Syntax syntax, String... words) {
        var argumentParser = new ArgumentParser(List.of(words), List.of());
        assertThat(argumentParser.command()).isEqualTo(syntax.name());
        ParsedArguments parsedArguments = argumentParser.rest(syntax);
        ArgumentParser.check(syntax, parsedArguments);
        return parsedArguments;
    }

    private static void assertMisuse(String message, String... words) {
        assertThatThrownBy(() -> read(words)).isInstanceOf(UsageError.class).hasMessage(message);
    }
}
