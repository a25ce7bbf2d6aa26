package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.ModelError;

/** A request that gets an error message for an answer. Never leaves this package. */
final class RequestRefused extends Exception {
  private static final long serialVersionUID = 1;

  private final ModelError error;

  RequestRefused(ModelError error) {
    super(error.name(), null, false, false);
    this.error = error;
  }

  ModelError error() {
    return error;
  }
}
