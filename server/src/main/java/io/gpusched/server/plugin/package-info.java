/// Rules from elsewhere: jars in a folder, found by [java.util.ServiceLoader], used when they are
/// named in the configuration. Read [io.gpusched.server.plugin.PluginJars] first. Nothing here
/// decides anything; what is found is handed to the core as ordinary rules.
@NullMarked
package io.gpusched.server.plugin;

import org.jspecify.annotations.NullMarked;
