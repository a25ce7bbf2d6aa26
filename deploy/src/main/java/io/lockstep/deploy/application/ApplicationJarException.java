package io.lockstep.deploy.application;

import java.nio.file.Path;

/** A jar whose application cannot be run. The message is for the operator, with the remedy. */
public final class ApplicationJarException extends Exception {
  private static final long serialVersionUID = 1L;

  ApplicationJarException(Path jar, String why, String remedy) {
    super(jar + ": " + why + "\n    remedy: " + remedy);
  }
}
