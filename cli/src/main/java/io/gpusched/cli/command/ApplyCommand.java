package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.nio.file.Path;
import java.util.List;

/// Sends manifests to the server, which reads and applies them, all or none. The client does not
/// look into the text. The name of the file is sent too, as the name of a manifest without one.
final class ApplyCommand implements CliCommand {
    private static final Option<String> FILE =
            Option.text("-f --file", "FILE", "Manifests in YAML or JSON; - reads standard input.")
                    .required();
    private static final Option<String> NAME =
            Option.text(
                    "--name",
                    "NAME",
                    "Name of a part of a manifest that has none (default: the file's name).");
    private static final Option<Boolean> DRY_RUN =
            Option.flag("--dry-run", "Check the manifests and print what would change.");

    @Override
    public Syntax syntax() {
        return Syntax.of("apply", "Create or change pools, models and bindings from manifests.")
                .with(FILE, NAME, DRY_RUN)
                .examples(
                        "Kinds: AgentPool, AgentClass, Model, ToolBinding and Pool.",
                        "A part without kind, such as a scheduling section, changes the pool of"
                                + " its name.",
                        "",
                        "Examples:",
                        "  gpu-cli apply -f chat.yaml --dry-run",
                        "  gpu-cli apply -f scheduling.yaml --name chat",
                        "  cat *.yaml | gpu-cli apply -f -");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        byte[] text = TextFiles.read("--file", parsedArguments.of(FILE), cliSession.in());
        boolean dryRun = parsedArguments.has(DRY_RUN);
        String file = parsedArguments.of(FILE);
        ApiPath path =
                ApiPath.to("apply")
                        .with("dry_run", dryRun ? "true" : "")
                        .with("name", parsedArguments.or(NAME, nameOf(file)));
        Json answer = cliSession.rest().sendText(path, text);
        cliSession.warnings(answer);
        cliSession
                .printer()
                .list(
                        answer,
                        answer.at("applied").items(),
                        new TableLayout(
                                List.of("name"),
                                List.of(
                                        Column.of("KIND", "kind"),
                                        Column.of("NAME", "name"),
                                        Column.of("ACTION", one -> action(one, dryRun)))));
        return 0;
    }

    /// The file's name without its ending, with dashes for what a name cannot have.
    private static String nameOf(String file) {
        Path path = file.equals("-") ? null : Path.of(file).getFileName();
        return path == null
                ? ""
                : path.toString()
                        .replaceFirst("\\.[^.]*$", "")
                        .replaceAll("[^A-Za-z0-9._-]+", "-")
                        .replaceAll("^[._-]+|[._-]+$", "");
    }

    private static String action(Json one, boolean dryRun) {
        String action = one.at("action").text();
        return dryRun && !action.equals("unchanged") ? "would be " + action : action;
    }
}
