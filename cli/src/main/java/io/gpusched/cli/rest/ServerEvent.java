package io.gpusched.cli.rest;

import io.gpusched.cli.json.Json;

/// One message of an event stream.
///
/// @param id where to continue after it; empty if the server gave none
/// @param kind empty if the message only brings an id
/// @param data nil if the message only brings an id
public record ServerEvent(String id, String kind, Json data) {}
