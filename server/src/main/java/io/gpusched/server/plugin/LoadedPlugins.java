package io.gpusched.server.plugin;

import io.gpusched.core.policy.Plugins;

import java.util.List;

/// The plug-ins in use, and the jars they came from.
///
/// @param jars the name and SHA-256 digest of each jar in the folder: what was decided under one
///        set of jars need not be decided again under another
/// @param remarks what a person should hear
public record LoadedPlugins(Plugins rules, List<String> jars, List<String> remarks) {
    public static final LoadedPlugins NONE = new LoadedPlugins(Plugins.NONE, List.of(), List.of());

    public LoadedPlugins {
        jars = List.copyOf(jars);
        remarks = List.copyOf(remarks);
    }
}
