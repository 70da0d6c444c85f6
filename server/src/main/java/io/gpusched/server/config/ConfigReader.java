package io.gpusched.server.config;

import io.gpusched.core.model.SpellingSuggestion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Reads the configuration from its layers: defaults, the file, the environment variables
/// `SCHEDULER_*` and `GPU_SCHEDULER_*`, and flags. A later layer wins.
///
/// Variables are matched against the known keys. A reader that turned every underscore into a dot
/// would take `GPU_SCHEDULER_API_HTTP_PORT` for `api.http.port` and silently ignore it.
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

    /// Sections as variables begin with them: `API_`.
    private static final List<String> SECTIONS =
            Config.KEYS.stream()
                    .filter(setting -> setting.path().contains("."))
                    .map(setting -> setting.path().substring(0, setting.path().indexOf('.')))
                    .distinct()
                    .map(section -> section.toUpperCase(Locale.ROOT) + "_")
                    .toList();

    private final SettingValues settingValues = new SettingValues();
    private final List<String> remarks = new ArrayList<>();

    private ConfigReader() {}

    /// Reads the configuration from `arguments`, the file that they name, and `environment`. Throws
    /// a [ConfigException] if a setting is invalid.
    public static Config read(Arguments arguments, Map<String, String> environment) {
        var reader = new ConfigReader();
        if (arguments.file() != null) {
            YamlFile.read(arguments.file(), reader.settingValues);
            reader.refuseUnknown();
        }
        reader.takeEnvironment(environment);
        arguments.settings().forEach(reader::takeFlag);
        return Config.from(reader.settingValues, reader.remarks);
    }

    private void refuseUnknown() {
        List<String> known = Config.KEYS.stream().map(Setting::path).toList();
        for (String path : List.copyOf(settingValues.paths())) {
            if (IgnoredSettings.covers(path)) {
                remarks.add(path + " is known but has no effect here");
            } else if (!known.contains(path)) {
                throw new ConfigException(
                        "%s: there is no setting %s; the nearest is %s"
                                .formatted(
                                        settingValues.where(path),
                                        path,
                                        SpellingSuggestion.closest(path, known)));
            }
        }
        refuseUnknownEmpty(known);
    }

    private void refuseUnknownEmpty(List<String> known) {
        settingValues
                .empty()
                .forEach(
                        (path, where) -> {
                            if (!names(path, known)) {
                                throw new ConfigException(
                                        "%s: there is no section or setting %s; the nearest is %s"
                                                .formatted(where, path, nearest(path, known)));
                            }
                        });
    }

    /// Whether `path` is a key, or a section that contains keys.
    private static boolean names(String path, List<String> known) {
        return known.contains(path)
                || known.stream().anyMatch(key -> key.startsWith(path + "."))
                || IgnoredSettings.covers(path)
                || IgnoredSettings.covers(path + ".");
    }

    private static String nearest(String path, List<String> known) {
        var sections = new LinkedHashSet<String>();
        for (String key : known) {
            for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
                sections.add(key.substring(0, dot));
            }
        }
        sections.addAll(known);
        return SpellingSuggestion.closest(path, sections);
    }

    private void takeEnvironment(Map<String, String> environment) {
        for (Setting<?> setting : Config.KEYS) {
            take(setting, environment, ofSection(setting));
            take(setting, environment, setting.alias());
            take(setting, environment, setting.variable());
        }
        for (String variable : environment.keySet()) {
            String upper = variable.toUpperCase(Locale.ROOT);
            if (IgnoredSettings.IN_ENVIRONMENT.contains(upper)) {
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

    /// The variable (without its prefix) that was probably meant. If the section is spelled
    /// correctly, only keys of that section are suggested.
    private static @Nullable String near(String typed) {
        List<String> known =
                Config.KEYS.stream()
                        .map(setting -> setting.variable().substring(PREFIX.length()))
                        .toList();
        for (String section : SECTIONS) {
            if (typed.startsWith(section)) {
                String key =
                        SpellingSuggestion.option(
                                hyphened(typed, section),
                                known.stream()
                                        .filter(name -> name.startsWith(section))
                                        .map(name -> hyphened(name, section))
                                        .toList());
                return key == null ? null : section + key.replace('-', '_');
            }
        }
        String nearest = SpellingSuggestion.closest(typed, known);
        return SpellingSuggestion.edits(typed, nearest) <= Math.max(2, typed.length() / 4)
                ? nearest
                : null;
    }

    private static String hyphened(String name, String section) {
        return name.substring(section.length()).replace('_', '-');
    }

    /// `SCHEDULER_THERMAL_THRESHOLD` for `scheduler.thermal_threshold`; empty outside that section.
    private static String ofSection(Setting<?> setting) {
        return setting.path().startsWith("scheduler.")
                ? setting.path().replace('.', '_').toUpperCase(Locale.ROOT)
                : "";
    }

    private void take(Setting<?> setting, Map<String, String> environment, String variable) {
        if (variable.isEmpty()) {
            return;
        }
        for (var entry : environment.entrySet()) {
            if (entry.getKey().equalsIgnoreCase(variable)) {
                settingValues.put(
                        setting.path(), entry.getValue(), "environment variable " + variable);
            }
        }
    }

    private static boolean isKnown(String variable) {
        return OTHERS.contains(variable.substring(PREFIX.length()))
                || IgnoredSettings.coversVariable(variable)
                || Config.KEYS.stream().anyMatch(setting -> setting.variable().equals(variable));
    }

    private void takeFlag(String path, String text) {
        settingValues.put(path, text, "flag");
    }
}
