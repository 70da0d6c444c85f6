package io.gpusched.server.plugin;

import io.gpusched.core.engine.Policies;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.policy.order.PluginOrder;
import io.gpusched.core.policy.score.PluginScorer;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.config.PlacementSection;
import io.gpusched.server.config.PluginSetting;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;

/// Loads plug-ins from the jars of a directory.
///
/// Nothing is loaded unless the configuration names something that is not built in. Code from a jar
/// runs with all rights of the scheduler, so protect the directory like the scheduler itself.
public final class PluginJars {
    private final Map<String, Filter> filters;
    private final Map<String, Scorer> scorers;
    private final Map<String, QueueOrder> orders;

    private PluginJars(ClassLoader loader) {
        this.filters = named(Filter.class, Filter::name, loader);
        this.scorers = named(Scorer.class, Scorer::name, loader);
        this.orders = named(QueueOrder.class, QueueOrder::name, loader);
    }

    /// Loads the plug-ins that the configuration names. Throws a [ConfigException] that says what
    /// is missing.
    ///
    /// @param policy the name of the policy, which may use a queue order from a plug-in
    public static LoadedPlugins load(PlacementSection section, String policy) {
        boolean builtIn = Policies.named(policy, PolicySettings.DEFAULT) != null;
        if (section.plugins().isEmpty() && builtIn) {
            return LoadedPlugins.NONE;
        }
        List<Path> jars = jars(section.pluginsDir());
        if (jars.isEmpty() && section.plugins().isEmpty()) {
            return LoadedPlugins.NONE;
        }
        if (jars.isEmpty()) {
            throw new ConfigException(
                    "scheduler.plugins names %s: expected jars in %s (plugins_dir), found none"
                            .formatted(section.plugins().getFirst().name(), section.pluginsDir()));
        }
        var loader = new URLClassLoader(urls(jars), PluginJars.class.getClassLoader());
        return new PluginJars(loader).chosen(section.plugins(), jars);
    }

    private LoadedPlugins chosen(List<PluginSetting> uses, List<Path> jars) {
        var usedFilters = new ArrayList<Filter>();
        var usedScorers = new ArrayList<WeightedScorer>();
        for (PluginSetting use : uses) {
            Filter filter = filters.remove(use.name());
            Scorer scorer = scorers.remove(use.name());
            if (filter != null) {
                usedFilters.add(filter);
            }
            if (scorer != null) {
                usedScorers.add(new WeightedScorer(new PluginScorer(scorer), use.weight()));
            }
            if (filter == null && scorer == null) {
                throw unknown(use.name());
            }
        }
        var remarks = new ArrayList<String>();
        Stream.concat(filters.keySet().stream(), scorers.keySet().stream())
                .forEach(
                        name ->
                                remarks.add(
                                        "plug-in %s is there but scheduler.plugins does not name it"
                                                .formatted(name)));
        var wrapped = orders.values().stream().<QueueOrder>map(PluginOrder::new).toList();
        return new LoadedPlugins(
                new Plugins(usedFilters, usedScorers, wrapped, List.of()),
                jars.stream().map(PluginJars::digest).toList(),
                remarks);
    }

    private ConfigException unknown(String name) {
        var known = new ArrayList<String>(filters.keySet());
        known.addAll(scorers.keySet());
        String order = orders.containsKey(name) ? "; an order is chosen by scheduler.policy" : "";
        return new ConfigException(
                known.isEmpty()
                        ? "scheduler.plugins: there is no filter or scorer %s in the jars%s"
                                .formatted(name, order)
                        : "scheduler.plugins: there is no filter or scorer %s in the jars; the nearest is %s%s"
                                .formatted(name, SpellingSuggestion.closest(name, known), order));
    }

    private static <T> Map<String, T> named(
            Class<T> kind, Function<T, String> naming, ClassLoader loader) {
        var found = new LinkedHashMap<String, T>();
        try {
            for (T one : ServiceLoader.load(kind, loader)) {
                T before = found.putIfAbsent(naming.apply(one), one);
                if (before != null) {
                    throw new ConfigException(
                            "plugins_dir: two plug-ins are called %s: %s and %s"
                                    .formatted(
                                            naming.apply(one),
                                            before.getClass().getName(),
                                            one.getClass().getName()));
                }
            }
        } catch (ServiceConfigurationError | LinkageError | RuntimeException failed) {
            throw failed instanceof ConfigException fault
                    ? fault
                    : new ConfigException(
                            "plugins_dir: a plug-in cannot be loaded: " + failed, failed);
        }
        return found;
    }

    private static List<Path> jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            throw new ConfigException("plugins_dir: %s cannot be read: %s".formatted(folder, e), e);
        }
    }

    private static URL[] urls(List<Path> jars) {
        var urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            try {
                urls[i] = jars.get(i).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new ConfigException("plugins_dir: not a file: " + jars.get(i), e);
            }
        }
        return urls;
    }

    private static String digest(Path jar) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
            return jar.getFileName() + "@" + HexFormat.of().formatHex(sum);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new ConfigException("plugins_dir: %s cannot be read: %s".formatted(jar, e), e);
        }
    }
}
