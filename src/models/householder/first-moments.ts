/** Computes everything the moment estimates need in one pass: the survey of the samples and Σ‖y‖². */
import { definePass } from '../../engine/pass.ts';
import { type Survey, surveyPass } from '../../passes/survey.ts';

export interface FirstMoments extends Survey {
  /** Σ‖y‖² / largest²: relative to the largest number, so that squares neither overflow nor underflow. */
  readonly energy: number;
}

export const firstMomentsPass = definePass<null, FirstMoments>(import.meta.url, {
  name: 'first-moments',
  contribute(chunk, _, kernels) {
    const survey = surveyPass.contribute(chunk, { moments: false }, kernels);
    const { largest } = survey;
    let energy = 0;
    if (largest > 0) for (const value of chunk.samples.data) energy += (value / largest) ** 2;
    return { ...survey, energy };
  },
  add(total, part) {
    const survey = surveyPass.add(total, part);
    const share = ({ energy, largest }: FirstMoments) => (largest > 0 ? energy * (largest / survey.largest) ** 2 : 0);
    return { ...survey, energy: share(total) + share(part) };
  },
  example: () => ({ params: null }),
});
