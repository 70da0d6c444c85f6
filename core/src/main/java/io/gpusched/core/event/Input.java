package io.gpusched.core.event;

/// What enters a cell: a [Command] of a user, or a [Report] of an agent. Never an [Event].
public sealed interface Input permits Command, Report {}
