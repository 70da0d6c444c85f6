/// The way to the server: one request, one answer, and a clear word when there is none.
///
/// Read `Rest` first. It knows HTTP, tokens and certificates, and nothing about jobs; commands know
/// jobs and nothing about HTTP.
///
///     rest.call("GET", Route.to("jobs", "job-7", "explain"));
@NullMarked
package io.gpusched.cli.rest;

import org.jspecify.annotations.NullMarked;
