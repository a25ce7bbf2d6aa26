package io.lockstep.dataplane.traffic;

/** Traffic that begins to flow when it is started and goes on for ever. */
public interface Flow {
  /** Begins now. Once. */
  void start();

  /** What has arrived so far, in bytes. */
  long deliveredBytes();
}
