package io.gpusched.core.model;

/// A mark on a node that repels every task that does not tolerate it.
public record Taint(String key, String value, String effect) {}
