/// Plug-ins: filters, scorers and queue orders in jars, found by [java.util.ServiceLoader] and used
/// if the configuration names them. Read [io.gpusched.server.plugin.PluginJars] first. Nothing here
/// decides anything; the core receives plug-ins as ordinary rules.
@NullMarked
package io.gpusched.server.plugin;

import org.jspecify.annotations.NullMarked;
