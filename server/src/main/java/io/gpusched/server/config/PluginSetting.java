package io.gpusched.server.config;

/// A plug-in that is to be used.
///
/// @param weight how much a scorer's word counts; means nothing for others
public record PluginSetting(String name, double weight) {}
