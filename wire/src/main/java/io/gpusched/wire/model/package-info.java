/// Files of models that order the queue, and the model that ships with the project.
///
/// Read [io.gpusched.wire.model.ModelFile] first: it describes the format. Models are trained
/// elsewhere and used in `core.policy.learned`; nothing here computes a score.
@NullMarked
package io.gpusched.wire.model;

import org.jspecify.annotations.NullMarked;
