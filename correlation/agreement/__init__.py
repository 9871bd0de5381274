"""Inter-rater agreement: coefficients, rater models, Bradley-Terry strengths and the human ceiling."""
