/// HTTP access to the server: one request, one answer or one exception.
///
/// Read `Rest` first. It knows HTTP, tokens and certificates, and nothing about jobs. Commands know
/// jobs, and nothing about HTTP.
///
///     rest.call("GET", ApiPath.to("jobs", "job-7", "explain"));
@NullMarked
package io.gpusched.cli.rest;

import org.jspecify.annotations.NullMarked;
