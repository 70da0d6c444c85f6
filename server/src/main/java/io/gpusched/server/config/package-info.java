/// The configuration: one YAML file, environment variables and flags become one tree of records.
///
/// Read [io.gpusched.server.config.Config] first. Each section declares its settings beside its
/// record, so that a setting's name, default, unit and help sentence are in one place. Nothing here
/// opens a port or a database.
///
///     --http-port > GPU_SCHEDULER_API_HTTP_PORT > SCHEDULER_PORT > api.http_port > 8080
@NullMarked
package io.gpusched.server.config;

import org.jspecify.annotations.NullMarked;
