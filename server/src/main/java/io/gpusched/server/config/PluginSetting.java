package io.gpusched.server.config;

/// A plug-in that the configuration enables.
///
/// @param weight of a scorer; ignored for other plug-ins
public record PluginSetting(String name, double weight) {}
