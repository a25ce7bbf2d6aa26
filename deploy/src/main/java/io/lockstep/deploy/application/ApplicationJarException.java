package io.lockstep.deploy.application;

import java.nio.file.Path;

/** A jar whose application cannot be run. The message is for the operator, with the remedy. */
public final class ApplicationJarException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String why;
  private final String remedy;

  ApplicationJarException(Path jar, String why, String remedy) {
    super(jar + ": " + why + "\n    remedy: " + remedy);
    this.why = jar + ": " + why;
    this.remedy = remedy;
  }

  /** The jar, and what is wrong with it, in one line. */
  public String why() {
    return why;
  }

  /** What to do, in one line. */
  public String remedy() {
    return remedy;
  }
}
