package io.gpusched.server.config;

import io.gpusched.core.model.Nearest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Puts the layers together: defaults, the file, `SCHEDULER_*`, `GPU_SCHEDULER_*`, flags.
///
/// Variables are matched against the keys there are. Turning every underscore into a dot would read
/// `GPU_SCHEDULER_API_HTTP_PORT` as `api.http.port` and then quietly ignore it.
public final class ConfigReader {
    /// Variables of this prefix that belong to the launchers and the command line.
    private static final Set<String> OTHERS =
            Set.of(
                    "JAVA_HOME",
                    "JAVA_OPTS",
                    "BUILD",
                    "TOKEN",
                    "TOKEN_FILE",
                    "API_URL",
                    "URL",
                    "CACERT",
                    "TENANT_ID");

    private static final String PREFIX = "GPU_SCHEDULER_";

    /// As variables begin with them: `API_`.
    private static final List<String> SECTIONS =
            Config.KEYS.stream()
                    .filter(key -> key.path().contains("."))
                    .map(key -> key.path().substring(0, key.path().indexOf('.')))
                    .distinct()
                    .map(section -> section.toUpperCase(Locale.ROOT) + "_")
                    .toList();

    private final Values values = new Values();
    private final List<String> remarks = new ArrayList<>();

    private ConfigReader() {}

    /// Reads everything that `arguments` and `environment` say, or throws a [ConfigFault].
    public static Config read(Arguments arguments, Map<String, String> environment) {
        var reader = new ConfigReader();
        if (arguments.file() != null) {
            YamlFile.read(arguments.file(), reader.values);
            reader.refuseUnknown();
        }
        reader.takeEnvironment(environment);
        arguments.settings().forEach(reader::takeFlag);
        return Config.from(reader.values, reader.remarks);
    }

    private void refuseUnknown() {
        List<String> known = Config.KEYS.stream().map(Key::path).toList();
        for (String path : List.copyOf(values.paths())) {
            if (WithoutEffect.covers(path)) {
                remarks.add(path + " is known but has no effect here");
            } else if (!known.contains(path)) {
                throw new ConfigFault(
                        "%s: there is no setting %s; the nearest is %s"
                                .formatted(values.where(path), path, Nearest.closest(path, known)));
            }
        }
        refuseUnknownEmpty(known);
    }

    private void refuseUnknownEmpty(List<String> known) {
        values.empty()
                .forEach(
                        (path, where) -> {
                            if (!names(path, known)) {
                                throw new ConfigFault(
                                        "%s: there is no section or setting %s; the nearest is %s"
                                                .formatted(where, path, nearest(path, known)));
                            }
                        });
    }

    /// Whether it is a key, or a section that has some.
    private static boolean names(String path, List<String> known) {
        return known.contains(path)
                || known.stream().anyMatch(key -> key.startsWith(path + "."))
                || WithoutEffect.covers(path)
                || WithoutEffect.covers(path + ".");
    }

    private static String nearest(String path, List<String> known) {
        var sections = new LinkedHashSet<String>();
        for (String key : known) {
            for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
                sections.add(key.substring(0, dot));
            }
        }
        sections.addAll(known);
        return Nearest.closest(path, sections);
    }

    private void takeEnvironment(Map<String, String> environment) {
        for (Key<?> key : Config.KEYS) {
            take(key, environment, ofSection(key));
            take(key, environment, key.alias());
            take(key, environment, key.variable());
        }
        for (String variable : environment.keySet()) {
            String upper = variable.toUpperCase(Locale.ROOT);
            if (WithoutEffect.IN_ENVIRONMENT.contains(upper)) {
                remarks.add(
                        "environment variable %s is known but has no effect here"
                                .formatted(variable));
            }
            if (upper.startsWith(PREFIX) && !isKnown(upper)) {
                String near = near(upper.substring(PREFIX.length()));
                remarks.add(
                        "environment variable %s sets nothing; %s"
                                .formatted(
                                        variable,
                                        near == null
                                                ? "config/scheduler-config.yaml lists all settings"
                                                : "the nearest that does is " + PREFIX + near));
            }
        }
    }

    /// The variable (without its prefix) that was probably meant. Whoever names a section rightly
    /// means a key of it, so nothing else is held out to them.
    private static @Nullable String near(String typed) {
        List<String> known =
                Config.KEYS.stream().map(key -> key.variable().substring(PREFIX.length())).toList();
        for (String section : SECTIONS) {
            if (typed.startsWith(section)) {
                String key =
                        Nearest.option(
                                hyphened(typed, section),
                                known.stream()
                                        .filter(name -> name.startsWith(section))
                                        .map(name -> hyphened(name, section))
                                        .toList());
                return key == null ? null : section + key.replace('-', '_');
            }
        }
        String nearest = Nearest.closest(typed, known);
        return Nearest.edits(typed, nearest) <= Math.max(2, typed.length() / 4) ? nearest : null;
    }

    private static String hyphened(String name, String section) {
        return name.substring(section.length()).replace('_', '-');
    }

    /// `SCHEDULER_THERMAL_THRESHOLD` for `scheduler.thermal_threshold`; empty outside that section.
    private static String ofSection(Key<?> key) {
        return key.path().startsWith("scheduler.")
                ? key.path().replace('.', '_').toUpperCase(Locale.ROOT)
                : "";
    }

    private void take(Key<?> key, Map<String, String> environment, String variable) {
        if (variable.isEmpty()) {
            return;
        }
        for (var entry : environment.entrySet()) {
            if (entry.getKey().equalsIgnoreCase(variable)) {
                values.put(key.path(), entry.getValue(), "environment variable " + variable);
            }
        }
    }

    private static boolean isKnown(String variable) {
        return OTHERS.contains(variable.substring(PREFIX.length()))
                || WithoutEffect.coversVariable(variable)
                || Config.KEYS.stream().anyMatch(key -> key.variable().equals(variable));
    }

    private void takeFlag(String path, String text) {
        values.put(path, text, "flag");
    }
}
