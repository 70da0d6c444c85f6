package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Prints a shell script that completes commands, options and their values. The script asks the
/// server for ids of jobs, nodes and tenants.
final class CompletionCommand implements CliCommand {
    private static final String ZSH =
            """
            autoload -U +X compinit && compinit
            autoload -U +X bashcompinit && bashcompinit
            """;

    private static final String SCRIPT =
            """
            _gpu_cli_ask() {
                local url=${COMP_LINE-}
                case $url in
                    *' --api-url='*|*' --api-url '*) url=${url#* --api-url?}; url=${url%% *} ;;
                    *) url=${GPU_SCHEDULER_API_URL-} ;;
                esac
                GPU_SCHEDULER_API_URL=$url "${COMP_WORDS[0]}" "$@" 2>/dev/null
            }

            _gpu_cli_values() {
                local words=
                case $1 in
                    JOB) words=$(_gpu_cli_ask list --all -o name --limit 200) ;;
                    NODE) words=$(_gpu_cli_ask nodes -o name) ;;
                    TENANT|ID) words=$(_gpu_cli_ask tenants -o name) ;;
                    FORMAT) words='table wide json yaml name' ;;
                    STATE) words='pending scheduled running completed failed preempted cancelled' ;;
                    TIER) words='low medium high critical' ;;
                    LOCALITY) words='any same-node same-socket nvlink' ;;
                    POLICY) words='@POLICIES@' ;;
                    PLACEMENT) words='@PLACEMENTS@' ;;
                    set) words='set @POLICIES@' ;;
                    promote) words='promote' ;;
                    POOL-ACTION) words='list show put scale explain load delete history'
                        words="$words $(_gpu_cli_ask pool list -o name)" ;;
                    POOL) words=$(_gpu_cli_ask pool list -o name) ;;
                    MODEL-ACTION) words='list show put delete'
                        words="$words $(_gpu_cli_ask models list -o name)" ;;
                    SHELL) words='bash zsh' ;;
                    COMMAND) words='@COMMANDS@' ;;
                    FILE) COMPREPLY=($(compgen -f -- "$2")); return ;;
                    DIR) COMPREPLY=($(compgen -d -- "$2")); return ;;
                esac
                COMPREPLY=($(compgen -W "$words" -- "$2"))
            }

            _gpu_cli() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
                local command= options= operand=COMMAND word
                for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
                    case $word in
                        @NAMES@) command=$word; break ;;
                    esac
                done
                case $command in
            @OPTIONS@
                esac
                case "$command $prev" in
            @VALUES@
                esac
                if [[ $cur == -* ]]; then
                    COMPREPLY=($(compgen -W "$options @GLOBAL@" -- "$cur"))
                else
                    _gpu_cli_values "$operand" "$cur"
                fi
            }
            complete -F _gpu_cli gpu-cli
            """;

    @Override
    public Syntax syntax() {
        return Syntax.of("completion", "Print a completion script for bash or zsh.")
                .taking(Operand.one("SHELL", "bash or zsh."))
                .examples(
                        "Examples:",
                        "  source <(gpu-cli completion bash)",
                        "  gpu-cli completion zsh > ~/.gpu-cli.zsh   # then source it in ~/.zshrc");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String prelude =
                switch (parsedArguments.operand(0)) {
                    case "bash" -> "";
                    case "zsh" -> ZSH;
                    default ->
                            throw new UsageError(
                                    "SHELL: expected bash or zsh, found '"
                                            + parsedArguments.operand(0)
                                            + "'");
                };
        cliSession.printer().raw().print(prelude + script());
        return 0;
    }

    /// Names of placement strategies. Copied, because the CLI must not depend on core; a test
    /// compares the lists.
    static final List<String> PLACEMENTS =
            List.of(
                    "best-fit",
                    "balanced-fit",
                    "dot-product",
                    "gpu-packing",
                    "gpu-clustering",
                    "fgd",
                    "random",
                    "expected-waste",
                    "best-effort",
                    "static",
                    "five-term",
                    "learned",
                    "power-aware",
                    "thermal-aware");

    /// Every policy name: each queue order, alone and with each way to handle a blocked queue head.
    static List<String> policies() {
        Stream<String> orders =
                Stream.of("priority", "fifo", "sjf", "f1", "wfp3", "unicep", "index", "random")
                        .flatMap(
                                order ->
                                        Stream.of("", "-skip", "-strict", "-conservative")
                                                .map(order::concat));
        Stream<String> others =
                Stream.of(
                        "spf",
                        "spf-skip",
                        "fair",
                        "fair-skip",
                        "fair-strict",
                        "srtf",
                        "las",
                        "learned",
                        "learned-mixed");
        return Stream.concat(orders, others).toList();
    }

    private static String script() {
        List<Syntax> commands = CommandCatalogue.all().stream().map(CliCommand::syntax).toList();
        return SCRIPT.replace("@COMMANDS@", String.join(" ", CommandCatalogue.NAMES))
                .replace("@POLICIES@", String.join(" ", policies()))
                .replace("@PLACEMENTS@", String.join(" ", PLACEMENTS))
                .replace("@NAMES@", joined(commands.stream().map(CompletionCommand::names), "|"))
                .replace(
                        "@OPTIONS@",
                        joined(commands.stream().map(CompletionCommand::options), "\n"))
                .replace(
                        "@VALUES@",
                        joined(commands.stream().flatMap(CompletionCommand::values), "\n")
                                + "\n"
                                + joined(values("*", GlobalOptions.ALL), "\n"))
                .replace("@GLOBAL@", joined(names(GlobalOptions.ALL), " "));
    }

    private static String names(Syntax command) {
        return joined(Stream.concat(Stream.of(command.name()), command.aliases().stream()), "|");
    }

    private static String options(Syntax command) {
        String operand = command.operands().isEmpty() ? "" : command.operands().getFirst().label();
        return "        %s) options='%s' operand=%s ;;"
                .formatted(names(command), joined(names(command.options()), " "), operand);
    }

    private static Stream<String> values(Syntax command) {
        return Stream.concat(Stream.of(command.name()), command.aliases().stream())
                .flatMap(name -> values("'" + name + "'", command.options()));
    }

    private static Stream<String> values(String command, List<Option<?>> options) {
        return options.stream()
                .filter(option -> !option.label().isEmpty())
                .map(
                        option ->
                                "        %s) _gpu_cli_values '%s' \"$cur\"; return ;;"
                                        .formatted(
                                                joined(
                                                        option.names().stream()
                                                                .map(n -> command + "' " + n + "'"),
                                                        "|"),
                                                option.label()));
    }

    private static Stream<String> names(List<Option<?>> options) {
        return options.stream().flatMap(option -> option.names().stream());
    }

    private static String joined(Stream<String> parts, String between) {
        return parts.collect(Collectors.joining(between));
    }
}
