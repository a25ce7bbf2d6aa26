package io.lockstep.placer.profile;

/** A profile that cannot be used; the message names the file, the place, the value and a remedy. */
public final class ProfileException extends Exception {
  private static final long serialVersionUID = 1;

  ProfileException(String file, String path, String problem, String remedy) {
    super(file + ": " + (path.isEmpty() ? "" : path + ": ") + problem + "; " + remedy);
  }
}
