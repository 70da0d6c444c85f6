/// Manifests in YAML or JSON: the kinds of NeuroNetes (AgentPool, AgentClass, Model, ToolBinding)
/// and our own kind Pool.
///
/// Read [io.gpusched.wire.manifest.ManifestReader] first. Every field is optional, a field that is
/// not known is warned about, and a field that is known and has no effect here is named with the
/// reason. The text is untrusted: its size, depth and number of documents are bounded, and aliases,
/// tags and repeated keys are refused.
@NullMarked
package io.gpusched.wire.manifest;

import org.jspecify.annotations.NullMarked;
