package io.lockstep.deploy.onos;

/** Ends the work on a request that is answered with an error; it never leaves the room. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  private RefusedException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** Something in the request is wrong; the message names it. */
  static RefusedException wrong(String message) {
    return new RefusedException(400, message);
  }

  /** There is no such thing. */
  static RefusedException missing(String message) {
    return new RefusedException(404, message);
  }

  /** It cannot be done here. */
  static RefusedException conflict(String message) {
    return new RefusedException(409, message);
  }

  /** It cannot be done now. */
  static RefusedException notNow(String message) {
    return new RefusedException(503, message);
  }

  OnosAnswer answer() {
    return OnosAnswer.error(status, String.valueOf(getMessage()));
  }
}
