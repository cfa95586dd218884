import { norm } from 'orthodict/extend';

/** u/‖u‖. */
export const unit = (u: Float64Array): Float64Array => {
  const length = norm(u);
  return u.map((value) => value / length);
};
