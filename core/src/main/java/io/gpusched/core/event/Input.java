package io.gpusched.core.event;

/// What enters a cell: something asked or something told. Never an [Event].
public sealed interface Input permits Command, Report {}
