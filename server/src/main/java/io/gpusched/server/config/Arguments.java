package io.gpusched.server.config;

import io.gpusched.core.model.SpellingSuggestion;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The parsed command line.
///
/// @param file the configuration file; null when none was named
/// @param settings values that flags set, by path of the setting
/// @param fresh whether to begin an empty journal although there are traces of another one
/// @param backup where to copy the journal to instead of starting; null if not requested
/// @param keep how many backups to keep in the directory that `backup` names; 0 for all
/// @param export where to write the journal as JSON lines instead of starting; null if not
///        requested
/// @param restore the backup to restore into an empty store instead of starting; null if not
///        requested
public record Arguments(
        @Nullable Path file,
        Map<String, String> settings,
        boolean checkOnly,
        boolean help,
        boolean fresh,
        @Nullable Path backup,
        int keep,
        @Nullable Path export,
        @Nullable Path restore) {

    /// What `--help` prints.
    public static final String USAGE =
            """
            usage: bin/scheduler [options]

              --config FILE        read settings from this YAML file
              --http-port PORT     REST API and metrics (8080)
              --grpc-port PORT     gRPC, for agents too (9090)
              --metrics-port PORT  metrics alone (9091)
              --data-dir DIR       SQLite files and tokens (data)
              --new                begin an empty journal even if snapshots or tables show that
                                   there was another one
              --demo               with a simulated fleet, tenants and a workload
              --check-config       read all settings, print them, start nothing
              --backup FILE        copy the journal to a new file, also while a scheduler runs;
                                   a directory gets a file named by the time
              --keep N             with --backup DIR: delete all but the newest N backups
              --export FILE        write the journal as JSON lines, also while a scheduler runs
              --restore FILE       fill an empty store from such a copy, start nothing
              --help               print this

            Every setting can also be given as GPU_SCHEDULER_<SECTION>_<KEY>; see
            config/scheduler-config.yaml for all of them. A flag wins over the environment, the
            environment over the file.
            """;

    private static final Map<String, String> FLAGS =
            Map.of(
                    "--http-port", "api.http_port",
                    "--grpc-port", "api.grpc_port",
                    "--metrics-port", "metrics.port",
                    "--data-dir", "data_dir");

    /// All options, in the order of [#USAGE]. Among equally near ones, the suggestion is the first.
    private static final List<String> OPTIONS =
            List.of(
                    "--config",
                    "--http-port",
                    "--grpc-port",
                    "--metrics-port",
                    "--data-dir",
                    "--new",
                    "--demo",
                    "--check-config",
                    "--backup",
                    "--keep",
                    "--export",
                    "--restore",
                    "--help");

    public Arguments {
        settings = Map.copyOf(settings);
    }

    /// Reads `--flag value` and `--flag=value`, or throws a [ConfigException].
    public static Arguments of(String... words) {
        Deque<String> rest = new ArrayDeque<>();
        for (String word : words) {
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            rest.add(equals < 0 ? word : word.substring(0, equals));
            if (equals >= 0) {
                rest.add(word.substring(equals + 1));
            }
        }
        @Nullable Path file = null;
        @Nullable Path backup = null;
        @Nullable Path export = null;
        @Nullable Path restore = null;
        var settings = new LinkedHashMap<String, String>();
        boolean checkOnly = false;
        boolean help = false;
        boolean fresh = false;
        int keep = 0;
        while (!rest.isEmpty()) {
            String flag = rest.remove();
            String path = FLAGS.get(flag);
            if (path != null) {
                settings.put(path, valueOf(flag, rest));
                continue;
            }
            switch (flag) {
                case "--config" -> file = Path.of(valueOf(flag, rest));
                case "--new" -> fresh = true;
                case "--check-config" -> checkOnly = true;
                case "--backup" -> backup = Path.of(valueOf(flag, rest));
                case "--keep" -> keep = count(flag, valueOf(flag, rest));
                case "--export" -> export = Path.of(valueOf(flag, rest));
                case "--restore" -> restore = Path.of(valueOf(flag, rest));
                case "--help", "-h" -> help = true;
                default -> throw unknown(flag);
            }
        }
        if (keep > 0 && backup == null) {
            throw new ConfigException("--keep: expected --backup DIR beside it, found none");
        }
        return new Arguments(file, settings, checkOnly, help, fresh, backup, keep, export, restore);
    }

    private static String valueOf(String flag, Deque<String> rest) {
        String value = rest.poll();
        if (value == null || value.startsWith("--")) {
            throw new ConfigException(flag + ": expected a value after it, found none");
        }
        return value;
    }

    private static int count(String flag, String value) {
        try {
            int count = Integer.parseInt(value);
            if (count > 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // The message is below.
        }
        throw new ConfigException(
                "%s: expected a number of 1 or more, found \"%s\"".formatted(flag, value));
    }

    private static ConfigException unknown(String flag) {
        String near = SpellingSuggestion.option(flag, OPTIONS);
        return new ConfigException(
                "there is no option %s%s. bin/scheduler --help lists all"
                        .formatted(flag, near == null ? "" : "; the nearest is " + near));
    }
}
