package io.gpusched.server.plugin;

import io.gpusched.core.policy.Plugins;

import java.util.List;

/// The plug-ins in use, and the jars they came from.
///
/// @param jars the name and SHA-256 digest of each jar in the directory: other jars may decide
///        differently, so the journal records them
/// @param remarks warnings for the operator
public record LoadedPlugins(Plugins rules, List<String> jars, List<String> remarks) {
    public static final LoadedPlugins NONE = new LoadedPlugins(Plugins.NONE, List.of(), List.of());

    public LoadedPlugins {
        jars = List.copyOf(jars);
        remarks = List.copyOf(remarks);
    }
}
